// A link's code follows its `#`, which browsers do not send to servers (decision 0021). With scripts, it is moved from
// the URL into the form; without them, people paste the link into the field.
const field = document.querySelector("input[data-from-link]");
const code = location.hash.slice(1);
if (field && code) {
  field.value = code;
  field.closest("label").hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
}

// Reports the outcome of connecting to a server, or of confirming an identity, to our other pages, the only listeners
// of this channel. The message contains nothing worth stealing (WEB-7). A window opened only for this purpose is then
// closed.
const outcome = document.querySelector("[data-outcome]");
if (outcome) {
  history.replaceState(null, "", location.pathname);
  new BroadcastChannel("gatehouse-connect").postMessage({ outcome: outcome.dataset.outcome });
  if ("close" in outcome.dataset) setTimeout(() => close(), 500);
}

// A button that shows and hides each password or key. Without scripts, the field works without it. The button is outside
// the label, whose text names the field.
for (const input of document.querySelectorAll('input[type="password"]')) {
  const label = input.closest("label");
  const frame = document.createElement("div");
  const toggle = document.createElement("button");
  frame.className = "password";
  toggle.type = "button";
  label.replaceWith(frame);
  frame.append(label, toggle);
  const hide = (isHidden) => {
    input.type = isHidden ? "password" : "text";
    toggle.textContent = isHidden ? "Show" : "Hide";
    toggle.setAttribute("aria-pressed", String(!isHidden));
  };
  hide(true);
  toggle.addEventListener("click", () => hide(input.type === "text"));
  // Password managers recognize the field by its type.
  input.form.addEventListener("submit", () => hide(true));
}
