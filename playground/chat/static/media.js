// Pictures with alt texts, their enlarged view, and files.

import { h, icon, isLocal, localUrl, returnFocus } from "./dom.js";
import { say } from "./language.js";

let viewer = null;

/** Enlarge one of several pictures; Escape, a click outside or the cross closes it. */
function enlarge(pictures, index, from) {
  viewer ??= makeViewer();
  viewer.open(pictures, index, from);
}

function makeViewer() {
  let shown = [];
  let at = 0;
  let opener = null;
  const picture = h("img.viewer-picture", {});
  const words = h("p.viewer-words");
  const count = h("span.viewer-count");
  const step = (by) => {
    at = (at + by + shown.length) % shown.length;
    draw();
  };
  const before = h("button.button.secondary", { type: "button", onclick: () => step(-1) }, say("Previous"));
  const after = h("button.button.secondary", { type: "button", onclick: () => step(1) }, say("Next"));
  const away = h("a.button.secondary", { target: "_blank", rel: "noopener" }, say("Open original"), icon("out"));
  const dialog = h(
    "dialog.viewer",
    { "aria-label": say("Picture"), onclick: (event) => event.target === dialog && dialog.close() },
    h("div.viewer-bar", {}, count, before, after, away, h("button.icon-button", { type: "button", "aria-label": say("Close picture"), onclick: () => dialog.close() }, icon("close"))),
    h("div.viewer-stage", { onclick: (event) => event.target === event.currentTarget && dialog.close() }, picture),
    words,
  );
  dialog.addEventListener("close", () => returnFocus(dialog, opener));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  document.body.append(dialog);

  function draw() {
    const { url, description } = shown[at];
    picture.src = localUrl(url);
    picture.alt = description ?? "";
    words.textContent = description ?? "";
    words.hidden = !description;
    away.href = localUrl(url);
    const many = shown.length > 1;
    before.hidden = after.hidden = !many;
    count.textContent = many ? say("{count} of {max}", { count: at + 1, max: shown.length }) : "";
  }

  return {
    open(pictures, index, from) {
      shown = pictures;
      at = index;
      opener = from;
      draw();
      dialog.showModal();
    },
  };
}

/**
 * A picture whose alt text can be opened.
 * `memory` keeps which alt texts and spoilers are open when the message is rendered again.
 */
export function figure(picture, { pictures = [picture], index = 0, memory = new Set(), small = false } = {}) {
  const { url, description, width, height, spoiler } = picture;
  if (!isLocal(url)) {
    return h("figure.picture.elsewhere", {}, h("p", {}, description || say("A picture from another site")), h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, say("Open it in a new tab")));
  }
  const image = h("img", { src: localUrl(url), alt: description ?? "", width: width || null, height: height || null, decoding: "async" });
  image.addEventListener("error", () => root.classList.add("broken"));
  const open = h("button.picture-open", { type: "button", "aria-label": say("Enlarge picture"), onclick: () => enlarge(pictures, index, open) });
  const frame = h("div.picture-frame", {}, image, open);
  const root = h(small ? "figure.picture.small" : "figure.picture", {}, frame);
  const key = `${index}:${url.split("?")[0]}`;
  if (description) {
    const words = h("figcaption", { hidden: !memory.has(`words ${key}`) }, description);
    const toggle = h(
      "button.picture-words",
      {
        type: "button",
        "aria-expanded": String(!words.hidden),
        onclick: () => {
          words.hidden = !words.hidden;
          toggle.setAttribute("aria-expanded", String(!words.hidden));
          toggle.textContent = words.hidden ? say("Show description") : say("Hide description");
          memory[words.hidden ? "delete" : "add"](`words ${key}`);
        },
      },
      words.hidden ? say("Show description") : say("Hide description"),
    );
    root.append(h("div.picture-foot", {}, toggle), words);
  }
  if (spoiler && !memory.has(`seen ${key}`)) {
    root.classList.add("covered");
    const cover = h("button.picture-cover", { type: "button", onclick: () => { root.classList.remove("covered"); cover.remove(); memory.add(`seen ${key}`); open.focus(); } }, say("Spoiler: show picture"));
    frame.append(cover);
  }
  return root;
}

/** Several pictures side by side; each can be enlarged. */
export function gallery(pictures, memory) {
  const many = Math.min(pictures.length, 4);
  return h(`div.gallery.of-${many}`, {}, pictures.map((picture, index) => figure(picture, { pictures, index, memory })));
}

export function fileCard({ name, size, url }) {
  return h(
    "a.file",
    { href: localUrl(url), download: name, "aria-label": `${say("Download {name}", { name })}${size ? `, ${bytes(size)}` : ""}` },
    icon("file"),
    h("span.file-text", {}, h("span.file-name", {}, name), size ? h("span.file-size", {}, bytes(size)) : null),
    icon("save"),
  );
}

function bytes(size) {
  if (size < 1024) return `${size} bytes`;
  if (size < 1024 ** 2) return `${(size / 1024).toFixed(1)} KB`;
  return `${(size / 1024 ** 2).toFixed(1)} MB`;
}
