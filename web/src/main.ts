import { mount } from "svelte";
import App from "./App.svelte";
import { isGeneric } from "./games";
import { books } from "./lib/books.svelte";
import "./lib/hands";
import { alone } from "./lib/reach";
import { serviceWorker } from "./lib/trusted";
import { device } from "./lib/device.svelte";
import { languages } from "./words";
import { chosen, speak } from "./words/catalogue";
import "./style.css";

books.whole = isGeneric;
const asked = new URLSearchParams(location.search).get("language"); // for tests and translators
const wanted = [asked, device.settings.language, ...navigator.languages].filter((tag): tag is string => !!tag);
const unpacked = alone === "file" ? import("./lib/alone").then(({ unpackCovers }) => unpackCovers()) : undefined;
void Promise.all([speak(chosen(wanted, languages)), unpacked]).then(() =>
  mount(App, { target: document.getElementById("parlour")! }),
);
if (alone) void import("./lib/alone").then(({ started }) => started()).catch(() => undefined);
if (alone !== "file" && "serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker
    .register(serviceWorker())
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => setTimeout(() => active?.postMessage({ keep: document.documentElement.lang }), 3000))
    .catch(() => undefined);
