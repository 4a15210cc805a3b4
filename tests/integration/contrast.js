// Lists the texts whose contrast with what is behind them is below WCAG AA: 4.5, or 3 for large text.
() => {
  const parse = (text) => {
    const numbers = text.match(/[\d.]+%?/g)?.map((n) => (n.endsWith("%") ? parseFloat(n) / 100 : parseFloat(n))) ?? [0, 0, 0, 0];
    if (text.startsWith("color(")) return [...numbers.slice(0, 3).map((n) => n * 255), numbers[3] ?? 1];
    return [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const behind = (element) => {
    const layers = [];
    for (let node = element; node; node = node.parentElement) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const opacity = (element) => {
    let all = 1;
    for (let node = element; node; node = node.parentElement) all *= parseFloat(getComputedStyle(node).opacity);
    return all;
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest("script, style, .sr, :disabled, .stale")) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const colour = parse(style.color);
    const shown = over([...colour.slice(0, 3), colour[3] * opacity(element)], ground);
    const [a, b] = [light(shown), light(ground)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight, 10) >= 700);
    if (contrast < (large ? 3 : 4.5)) bad.push(`${text.slice(0, 40)}: ${contrast.toFixed(2)} (${element.tagName}.${element.className})`);
  }
  return [...new Set(bad)];
}
