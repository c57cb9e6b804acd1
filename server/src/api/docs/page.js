/** Optional behavior: filters operations, copies examples, and highlights the current operation in the menu. */

const articles = [...document.querySelectorAll("article")];
const links = new Map([...document.querySelectorAll("nav li a")].map((link) => [link.hash.slice(1), link]));
const filter = document.getElementById("filter");
const menu = document.getElementById("menu");

document.querySelector(".filter").hidden = false;
filter.addEventListener("input", showMatches);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== filter && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    menu.checked = true;
    filter.focus();
  }
  if (event.key === "Escape" && document.activeElement === filter) {
    filter.value = "";
    showMatches();
  }
});
document.querySelector("nav").addEventListener("click", (event) => {
  if (event.target.closest("a")) menu.checked = false;
});

function showMatches() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const article of articles) {
    article.hidden = !words.every((word) => article.dataset.search.includes(word));
    links.get(article.id).parentElement.hidden = article.hidden;
    if (!article.hidden) found += 1;
  }
  for (const family of document.querySelectorAll("nav section, .family")) {
    family.hidden = !family.querySelector("article:not([hidden]), li:not([hidden])");
  }
  document.querySelector(".intro").hidden = words.length > 0;
  document.getElementById("nothing").hidden = found > 0;
}

for (const figure of document.querySelectorAll("figure")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const done = await copied(figure.querySelector("code"));
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  figure.querySelector("figcaption").append(button);
}

/** Browsers allow clipboard access only over HTTPS. Otherwise the text is selected. */
async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return false;
  }
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = links.get(target.id);
      if (isIntersecting) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest" });
  },
  { rootMargin: "-10% 0px -85% 0px" },
);
for (const article of articles) seen.observe(article);
