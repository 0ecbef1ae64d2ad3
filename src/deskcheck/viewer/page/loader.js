// Unpacks the script of the page, whose hash the content security policy names, and starts it.
"use strict";
async function unpacked(id) {
  const raw = atob(document.getElementById(id).textContent), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
window.deskcheck = { unpacked, ready: (async () => {
  if (typeof DecompressionStream === "undefined") throw new Error("this browser has no DecompressionStream; any browser since May 2023 has one");
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(await unpacked("program"));
  document.body.append(script);
  return window.deskcheck.open();
})() };
window.deskcheck.ready.catch((error) => {
  const note = document.getElementById("trouble");
  note.hidden = false;
  note.textContent = `This page could not be opened: ${error.message}`;
});
