// Plays whole tables in a page's Worker as the page itself asks it, and returns their records with how long it took.
async (wanted) => {
  const note = await (await fetch("runtime/runtime.json")).json();
  const worker = new Worker("alone.js");
  const waiting = new Map(); // what is asked, by number
  const news = []; // what tables told
  let count = 0;
  let wake = () => {};
  const ready = new Promise((resolve, reject) => {
    worker.onmessage = ({ data: [kind, ...values] }) => {
      if (kind === "ready") resolve(values[0]);
      if (kind === "failed") reject(new Error(values[0]));
      if (kind === "answer") waiting.get(values[0])?.(JSON.parse(values[2]));
      if (kind === "told") {
        const message = JSON.parse(values[1]);
        waiting.get(message.id)?.(message);
        news.push(message.news ?? message);
        wake();
      }
    };
    worker.onerror = ({ message }) => reject(new Error(message));
  });
  const base = new URL("runtime/", location.href).href;
  worker.postMessage(["start", { base, version: note.source, proof: note.proof, interpreted: wanted.interpreted }]);
  const began = performance.now();
  const how = await ready;
  const started = performance.now() - began;
  const ask = (method, path, body) =>
    new Promise((resolve) => {
      waiting.set(++count, resolve);
      worker.postMessage(["ask", count, method, path, body && JSON.stringify(body), undefined]);
    });
  const tables = [];
  for (const { game, players, deal, level } of wanted.tables) {
    news.length = 0;
    const { table, code } = await ask("POST", "/api/tables?words=keys", { game, players, deal, bot_seconds: 0 });
    const { token } = await ask("POST", `/api/tables/${table}/seats?words=keys`, { name: "Guest", code });
    const line = ++count;
    worker.postMessage(["connect", line]);
    const say = (message) => worker.postMessage(["say", line, JSON.stringify(message)]);
    const request = (message) =>
      new Promise((resolve) => {
        const id = String(++count);
        waiting.set(id, resolve);
        say({ ...message, id });
      });
    say({ kind: "hello", protocol: 2, table, token, words: "keys" });
    for (let seat = 1; seat < players; seat++) await request({ kind: "bot", seat, level });
    let phase = "gathering";
    const times = [];
    await request({ kind: "start" });
    while (phase !== "over") {
      while (!news.length) await new Promise((resolve) => (wake = resolve));
      const { table: described, legal, number } = news.shift();
      phase = described?.phase ?? phase;
      if (!legal?.length || number === undefined) continue;
      let steps = [];
      let next = legal;
      while (!next[0].whole) {
        steps.push(next[0].step);
        next = (await request({ kind: "follow", prefix: steps })).legal;
      }
      const at = performance.now();
      await request({ kind: "act", number, move: [...steps, next[0].step] });
      times.push(performance.now() - at);
    }
    const record = await ask("GET", `/api/tables/${table}/record`);
    worker.postMessage(["hang_up", line]);
    tables.push({ game, record });
  }
  worker.terminate();
  return { how, started, tables };
}
