import { mount } from "svelte";
import App from "./App.svelte";
import "./lib/hands";
import { serviceWorker } from "./lib/trusted";
import "./style.css";

mount(App, { target: document.getElementById("parlour")! });
if ("serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker.register(serviceWorker()).catch(() => undefined);
