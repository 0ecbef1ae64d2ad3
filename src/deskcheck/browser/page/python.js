// The worker of Python: the true run, and the step loop. The page ends it, and starts another, after a run that
// it stopped or that replaced a built-in.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL(".", import.meta.url).href;
const bytes = async (name) => {
  const reply = await fetch(new URL(name, here));
  if (!reply.ok) throw new Error(`${name}: ${reply.status} ${reply.statusText}`);
  return new Uint8Array(await reply.arrayBuffer());
};
const text = async (name) => new TextDecoder().decode(await bytes(name));

/** Python with our package; a program finds no way from it into the browser. */
async function start() {
  const quiet = { stdin: () => null, stdout: () => {}, stderr: () => {} };
  const [python, wheel, ours, model] = await Promise.all([
    loadPyodide({ indexURL: here + "pyodide/", jsglobals: { setTimeout, clearTimeout, Object, Array, Promise, Uint8Array }, ...quiet }), bytes("msgspec.whl"), bytes("deskcheck.zip"), text("model.json"),
  ]);
  python.unpackArchive(wheel, "wheel");
  python.FS.writeFile("/deskcheck.zip", ours);
  python.runPython("import sys; sys.path.insert(0, '/deskcheck.zip')");
  const module = python.pyimport(JSON.parse(model).entry);
  return { python, module, reader: module.reader_of(model) };
}

const started = start();
started.then(() => postMessage({ what: "ready" }), (error) => postMessage({ what: "broken", text: String(error.message || error) }));
let run = null, network = null, waiting = null;

const actions = {
  async trace({ source, call, maxSteps }) {
    const { module, reader } = await started;
    run = module.begin(source, call, maxSteps);
    if (typeof run === "string") return { refused: run, isClean: module.is_unchanged() };
    return { data: run.page(), saved: run.saved().toJs(), steps: run.n_steps, states: run.n_states, whyNot: run.why_not(reader), isClean: module.is_unchanged() };
  },
  async execute({ maxSteps, untilApart, port, name }) {
    const { reader } = await started;
    network = port;
    network.onmessage = ({ data }) => { const { resolve, reject } = waiting; data.error ? reject(new Error(data.error)) : resolve(data.text); };
    const ask = (question) => new Promise((resolve, reject) => { waiting = { resolve, reject }; network.postMessage(question); });
    const tell = (step) => postMessage({ what: "step", ...JSON.parse(step) });
    await run.execute.callKwargs(reader, ask, tell, { max_steps: maxSteps, until_apart: untilApart });
    return { data: run.page(name), answer: run.answer, tokens: run.tokens };
  },
  async stop() { run.stop(); return {}; },
};

onmessage = async ({ data }) => {
  try {
    postMessage({ what: data.what, ...(await actions[data.what](data)) });
  } catch (error) {
    const text = String(error.message || error).trim().split("\n").at(-1);
    postMessage({ what: data.what, refused: /call stack/.test(text) ? "The program is nested, or calls itself, more deeply than this browser allows." : text });
  }
};
