// The worker of the network: the shipped weights, on one thread. It outlives the runs of Python.
import { Network } from "./generate.js";

const here = new URL(".", import.meta.url).href;

async function start() {
  const [model, weights] = await Promise.all(["model.json", "model.onnx"].map((name) => fetch(here + name)));
  if (!weights.ok) throw new Error(`model.onnx: ${weights.status} ${weights.statusText}`);
  return new Network(new Uint8Array(await weights.arrayBuffer()), JSON.parse((await model.json()).config));
}

const started = start();
started.then(() => postMessage({ what: "ready" }), (error) => postMessage({ what: "broken", text: String(error.message || error) }));

/** Each run of Python has a port of its own, through which it asks. */
onmessage = ({ data: { port } }) => {
  port.onmessage = async ({ data }) => {
    try {
      const network = await started;
      port.postMessage({ text: JSON.stringify(network.answer(JSON.parse(data))) });
    } catch (error) {
      port.postMessage({ error: String(error.message || error) });
    }
  };
};
