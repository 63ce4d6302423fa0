// The frame between the chat page and an Activity. It carries their messages, and does nothing else.
//
// Discord's SDK only listens to Discord's own addresses, and to the one that the Activity itself has. The chat
// page has neither, but this frame has the second. It can do no more than the Activity, whose origin it shares.

const { chat, title } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const activity = document.createElement("iframe");

addEventListener("message", ({ source, origin, data }) => {
  if (source === activity.contentWindow && origin === location.origin) parent.postMessage(data, chat);
  else if (source === parent && origin === chat) activity.contentWindow.postMessage(data, location.origin);
});

document.documentElement.style.height = "100%";
document.body.style.cssText = "height: 100%; margin: 0; overflow: hidden";
activity.style.cssText = "display: block; width: 100%; height: 100%; border: 0";
activity.title = title;
activity.allow = "autoplay; clipboard-write; fullscreen";
activity.src = `/${location.search}`;
document.title = title;
document.body.append(activity);
activity.addEventListener("load", () => activity.focus());
