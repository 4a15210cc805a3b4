// Vendored: edit metrics/_shared/space_ui/usage.js and run `make vendor`.
// Code to copy, with this page's address in it. Gradio calls this with `element`.

const address = `${location.origin}${location.pathname.replace(/\/$/, "")}`;
element.querySelectorAll("pre code").forEach((code) => { code.textContent = code.textContent.replaceAll("ORIGIN", address); });
element.addEventListener("click", async (event) => {
  if (!event.target.matches(".copy")) return;
  const text = event.target.parentElement.querySelector("code").textContent;
  try { await navigator.clipboard.writeText(text); event.target.textContent = "Copied"; } catch { event.target.textContent = "Select and copy"; }
  setTimeout(() => { event.target.textContent = "Copy"; }, 1600);
});
