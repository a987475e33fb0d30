import { mount } from "svelte";
import App from "./App.svelte";
import { isGeneric } from "./games";
import { books } from "./lib/books.svelte";
import "./lib/hands";
import { serviceWorker } from "./lib/trusted";
import { device } from "./lib/device.svelte";
import { languages } from "./words";
import { chosen, speak } from "./words/catalogue";
import "./style.css";

books.whole = isGeneric;
const asked = new URLSearchParams(location.search).get("language"); // for tests and translators
const wanted = [asked, device.settings.language, ...navigator.languages].filter((tag): tag is string => !!tag);
void speak(chosen(wanted, languages)).then(() => mount(App, { target: document.getElementById("parlour")! }));
if ("serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register(serviceWorker()).catch(() => undefined);
