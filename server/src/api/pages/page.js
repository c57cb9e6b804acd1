// A link's code stands behind its `#`, which browsers send to nobody (decision 0021). Where scripts run, it is put into
// the form and out of the address; without them, people paste the link into the field themselves.
const field = document.querySelector("input[data-from-link]");
const code = location.hash.slice(1);
if (field && code) {
  field.value = code;
  field.closest("label").hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
}

// How connecting to a server, or confirming who somebody is, ended: told to our other pages, which alone hear this channel, without anything that would be
// worth stealing (WEB-7). A window that was opened for it alone has then done its work.
const outcome = document.querySelector("[data-outcome]");
if (outcome) {
  history.replaceState(null, "", location.pathname);
  new BroadcastChannel("gatehouse-connect").postMessage({ outcome: outcome.dataset.outcome });
  if ("close" in outcome.dataset) setTimeout(() => close(), 500);
}
