// The page: what is typed goes to the workers, what they say becomes text, and the step viewer shows it in a frame.
"use strict";
(() => {
  const MOST_LINES = 2000, TRACE_S = 20, ASKED = 300, STOP_S = 4, SHOWN = 400;
  const $ = (id) => document.getElementById(id);
  const h = (tag, attributes = {}, ...children) => { const element = document.createElement(tag); Object.assign(element, attributes); element.append(...children); return element; };
  const local = (path) => new URL(path, location.href).href;
  const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
  const site = { state: "loading", tokens: null, answer: null, refused: "", loaded: 0, steps: [] };
  window.deskcheckSite = site;
  let python = null, network = null, examples = [], shell = "", name = "", lengths = [], timer = 0, stopping = 0;

  function say(text, bad = false) { $("status").textContent = text; $("status").className = bad ? "bad" : ""; }

  // ---------------------------------------------------------------- workers

  /** A worker under the page's own content policy, which a worker from an address would not have. */
  function worker(file, heard) {
    const address = URL.createObjectURL(new Blob([`import ${JSON.stringify(local(file))};`], { type: "text/javascript" }));
    const made = new Worker(address, { type: "module" });
    made.onmessage = ({ data }) => heard(data);
    made.onerror = (event) => heard({ what: "broken", text: event.message || `${file} cannot be loaded` });
    return made;
  }

  function freshPython() {
    python?.worker.terminate();
    const mine = { isReady: false, waiting: new Map() };
    mine.worker = worker("python.js", (data) => {
      if (mine !== python) return;
      if (data.what === "ready") { mine.isReady = true; site.loaded++; if (site.state === "loading") rest("Ready."); else buttons(); }
      else if (data.what === "broken") fail(`Python cannot be started here: ${data.text}`);
      else if (data.what === "step") step(data);
      else { mine.waiting.get(data.what)?.(data); mine.waiting.delete(data.what); }
    });
    python = mine;
  }

  /** One action of the worker of Python, and its reply; a worker that was ended never replies. */
  function asked(what, values = {}, move = []) {
    const mine = python;
    return new Promise((resolve) => { mine.waiting.set(what, resolve); mine.worker.postMessage({ what, ...values }, move); });
  }

  function openNetwork() {
    site.hasNetwork = true;
    network ||= worker("network.js", (data) => { if (data.what === "broken") fail(`The network cannot be started here: ${data.text}`); });
    return network;
  }

  // ---------------------------------------------------------------- one run

  async function begin(withNetwork) {
    if (!python?.isReady || site.state === "running") return;
    const source = $("source").value, call = $("call").value;
    Object.assign(site, { state: "running", tokens: null, answer: null, refused: "", steps: [] });
    $("by-length").textContent = ""; $("steps").replaceChildren(); $("lane").hidden = true; $("result").hidden = true; $("viewer").replaceChildren();
    buttons();
    say("Python runs the program …");
    if (withNetwork) openNetwork();
    timer = setTimeout(() => { freshPython(); rest(`Stopped: Python had not run the call to its end after ${TRACE_S} seconds.`, true); }, TRACE_S * 1000);
    const traced = await asked("trace", { source, call, maxSteps: MOST_LINES });
    clearTimeout(timer);
    const leave = (...said) => { if (!traced.isClean) freshPython(); rest(...said); };
    if (traced.refused !== undefined) { site.refused = traced.refused; leave(traced.refused, true); return; }
    offer(traced.saved);
    show(traced.data);
    const ran = `The run has ${count(traced.steps, "step")}.`;
    if (!withNetwork || traced.whyNot) { site.refused = traced.whyNot; leave(withNetwork ? `${ran} ${traced.whyNot}` : ran, withNetwork); return; }
    $("by-length").textContent = byLength(traced.steps);
    site.total = traced.states - 1;
    $("progress").hidden = false; $("progress").max = site.total; $("progress").value = 0; $("lane").hidden = false;
    say("The network loads its weights …");
    const channel = new MessageChannel(), began = performance.now();
    network.postMessage({ port: channel.port1 }, [channel.port1]);
    const done = await asked("execute", { maxSteps: ASKED, untilApart: !$("beyond").checked, port: channel.port2, name }, [channel.port2]);
    $("progress").hidden = true;
    if (done.refused !== undefined) { freshPython(); rest(done.refused, true); return; }
    Object.assign(site, { tokens: done.tokens, answer: done.answer, seconds: (performance.now() - began) / 1000 });
    show(done.data);
    leave(`${ran} ${finding(done.answer)}`);
  }

  /** How often the network was right on programs that it had not seen and that run as long as this one. */
  function byLength(steps) {
    const row = lengths.find(([fewest, most]) => fewest <= steps && steps <= most);
    if (!row) return `No program that it was scored on executes ${count(steps, "step")}.`;
    const [fewest, most, score] = row, [right, n] = score.replace(")", "").split(" (n = ");
    return `How far to trust it: of the ${n} programs of CRUXEval that execute ${fewest} to ${most} steps, none of which it was trained on, it was right to the end on ${right.replace(" [", " % [")} (95 % interval in brackets)${Number(n) < 30 ? ", too few to show anything" : ""}.`;
  }

  function finding(answer) {
    const wrong = site.steps.find((step) => step.apart || step.unread), right = wrong ? wrong.number - 1 : site.steps.length;
    const speed = site.first ? `, ${(site.steps.length / Math.max(.001, (site.last - site.first) / 1000)).toFixed(1)} steps a second` : "";
    if (wrong?.unread) return `The network's reply in step ${wrong.number} cannot be read; ${right} of ${site.total} are right${speed}.`;
    if (wrong) return `The network is right for ${right} of ${count(site.total, "state")}, then differs${speed}.`;
    return `The network is right in ${right === site.total ? "all" : `the first ${right} of`} ${count(site.total, "state")}${answer ? `, ${answer}` : ""}${speed}.`;
  }

  function step(data) {
    site.steps.push(data);
    site.last = performance.now();
    if (site.steps.length === 1) site.first = site.last;
    $("progress").value = Math.min(site.total, data.number);
    say(`The network executes: ${data.number} of ${count(site.total, "state")} …`);
    const wrong = data.apart || data.unread;
    const row = h("tr", { className: wrong ? "differs" : "" }, h("td", { textContent: data.number }), h("td", { className: "sign", textContent: wrong ? "✗" : "✓", title: wrong || "right" }), h("td", { textContent: data.true ?? "" }), h("td", { textContent: data.unread ? `cannot be read: ${data.unread}` : wrong ? data.believed : "" }));
    $("steps").append(row);
    if ($("steps").childElementCount > SHOWN) $("steps").firstElementChild.remove();
    $("lane").scrollTop = $("lane").scrollHeight;
  }

  async function stop() {
    if (site.state !== "running") return;
    if (!site.steps.length) { clearTimeout(timer); freshPython(); rest("Stopped."); return; }
    python.worker.postMessage({ what: "stop" });
    stopping ||= setTimeout(() => { freshPython(); rest("Stopped."); }, STOP_S * 1000);
  }

  function rest(text, bad = false) {
    clearTimeout(timer); clearTimeout(stopping); stopping = 0;
    site.state = "ready";
    $("progress").hidden = true;
    say(text, bad);
    buttons();
  }

  function fail(text) { rest(text, true); site.state = "broken"; buttons(); }

  function buttons() {
    const busy = site.state === "running", can = !busy && site.state === "ready" && python?.isReady;
    $("execute").disabled = $("trace").disabled = !can;
    $("stop").disabled = !busy;
  }

  // ---------------------------------------------------------------- what a run leaves

  /** The step viewer in a frame without rights; its data is letters and digits alone, whatever the program was. */
  function show(data) {
    if (!/^[A-Za-z0-9+/=]*$/.test(data)) throw new Error("the data of the viewer is not what it should be");
    const frame = h("iframe", { title: "the run, step by step, belief beside truth", srcdoc: shell.replace("{{ place }}", () => data) });
    frame.setAttribute("sandbox", "allow-scripts");
    $("viewer").replaceChildren(frame);
    $("result").hidden = false;
  }

  function offer(bytes) {
    if ($("save").href) URL.revokeObjectURL($("save").href);
    $("save").href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  }

  function fragment() { return new URLSearchParams({ program: $("source").value, call: $("call").value }); }

  function fromFragment() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!wanted.has("program")) return false;
    $("source").value = wanted.get("program").slice(0, 20000); $("call").value = (wanted.get("call") || "").slice(0, 2000); $("example").value = ""; note();
    return true;
  }

  // ---------------------------------------------------------------- the form

  function note() { $("example-note").textContent = examples[$("example").value]?.note ?? ""; }

  function choose() {
    const example = examples[$("example").value];
    if (example) { $("source").value = example.source; $("call").value = example.call; }
    note();
  }

  async function start() {
    if (!location.protocol.startsWith("http")) return;
    $("unserved").hidden = true;
    freshPython();
    const replies = await Promise.all(["examples.json", "viewer.html", "model.json"].map((file) => fetch(local(file))));
    examples = await replies[0].json(); shell = await replies[1].text(); ({ name, lengths } = await replies[2].json());
    for (const kind of new Set(examples.map((one) => one.kind))) {
      $("example").append(h("optgroup", { label: kind }, ...examples.map((one, at) => [one, at]).filter(([one]) => one.kind === kind).map(([one, at]) => h("option", { value: at, textContent: one.title }))));
    }
    $("example").addEventListener("change", choose);
    if (!fromFragment()) { $("example").value = "0"; choose(); }
    for (const field of ["source", "call"]) {
      $(field).addEventListener("input", () => { $("example").value = ""; note(); });
      $(field).addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); begin(true); } });
    }
    window.addEventListener("hashchange", fromFragment);
    $("form").addEventListener("submit", (event) => { event.preventDefault(); begin(true); });
    $("trace").addEventListener("click", () => begin(false));
    $("stop").addEventListener("click", stop);
    $("link").addEventListener("click", async () => {
      history.replaceState(null, "", `#${fragment()}`);
      try { await navigator.clipboard.writeText(location.href); say("The link is copied."); } catch { say("The link is in the address bar."); }
    });
    if ("serviceWorker" in navigator) navigator.serviceWorker.register("service_worker.js").catch(() => {});
  }

  start().catch((error) => fail(`This page could not be opened: ${error.message}`));
})();
