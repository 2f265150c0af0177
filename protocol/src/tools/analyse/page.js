"use strict";
(() => {
  const { report, points, scenes } = JSON.parse(document.getElementById("data").textContent);
  const turns = report.turns;
  const end = turns.length;
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const draw = (name, attributes, parent) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  };
  const label = (index) => turns[index].number + (turns[index].side === "white" ? ". " : "... ") + turns[index].turn;
  let at = 0;

  function drawStones(scene) {
    const group = byId("stones");
    group.replaceChildren();
    [...scene.stones].forEach((stone, point) => {
      if (stone === ".") return;
      const [cx, cy] = points[point];
      draw("circle", { class: "stone " + (stone === "W" ? "white" : "black"), cx, cy, r: 20 }, group);
    });
  }

  function drawTurn(turn, role, group) {
    if (!turn) return;
    if (turn.from !== null) {
      const [[x1, y1], [x2, y2]] = [points[turn.from], points[turn.to]];
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [ux, uy] = [((x2 - x1) / length) * 16, ((y2 - y1) / length) * 16];
      const side = (s) => `M${x2 - ux - (s * uy) / 1.6} ${y2 - uy + (s * ux) / 1.6}L${x2} ${y2}`;
      draw("path", { class: "arrow " + role, d: `M${x1} ${y1}L${x2} ${y2}${side(1)}${side(-1)}` }, group);
    } else if (turn.to !== null) {
      const [cx, cy] = points[turn.to];
      draw("circle", { class: "ring " + role, cx, cy, r: 24 }, group);
    }
    for (const point of turn.removed) {
      const [x, y] = points[point];
      draw("path", { class: "cross " + role, d: `M${x - 12} ${y - 12}l24 24m0 -24l-24 24` }, group);
    }
  }

  function tell(scene) {
    const facts = byId("facts");
    facts.replaceChildren();
    const add = (name, value) => {
      facts.append(Object.assign(document.createElement("dt"), { textContent: name }));
      facts.append(Object.assign(document.createElement("dd"), { textContent: value }));
    };
    if (at === end) {
      byId("now").textContent = "The end: " + report.result + (report.reason ? ", " + report.reason : "");
      return;
    }
    const turn = turns[at];
    byId("now").textContent = label(at) + turn.sign + " – " + turn.words;
    add("Value before", turn.before.text + (turn.before.kind === "estimate" ? "" : " (proven)"));
    add("Value after", turn.after.text + (turn.after.kind === "estimate" ? "" : " (proven)"));
    add(scene.better ? "Better" : "Best line", turn.best.slice(0, 8).join(" "));
  }

  function show(index) {
    at = Math.max(0, Math.min(end, index));
    const scene = scenes[at];
    drawStones(scene);
    byId("marks").replaceChildren();
    drawTurn(scene.better, "better", byId("marks"));
    drawTurn(scene.played, "played", byId("marks"));
    byId("board").setAttribute("aria-label", scene.words);
    byId("hands").textContent =
      (at === end ? "" : scene.to_move + " to move · ") + `in hand: White ${scene.hands[0]}, Black ${scene.hands[1]}`;
    tell(scene);
    const slider = byId("slider");
    slider.value = at;
    slider.setAttribute("aria-valuetext", byId("now").textContent);
    byId("cursor").setAttribute("d", `M${x(at)} 0V160`);
    for (const id of ["first", "back"]) byId(id).setAttribute("aria-disabled", at === 0);
    for (const id of ["last", "forward"]) byId(id).setAttribute("aria-disabled", at === end);
    byId("turns").querySelectorAll("button").forEach((button, place) => {
      if (place === at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  }

  const x = (index) => (end === 0 ? 0 : (index / end) * 600);
  const y = (value) => 155 - value * 150;

  function drawGraph() {
    const graph = byId("graph");
    const curve = scenes.map((scene, index) => `${x(index).toFixed(1)} ${y(scene.white).toFixed(1)}`).join("L");
    draw("path", { class: "area", d: `M0 160L${curve}L600 160Z` }, graph);
    draw("path", { class: "middle", d: "M0 80H600" }, graph);
    turns.forEach((turn, index) => {
      if (turn.sign === "??") draw("path", { class: "grave", d: `M${x(index)} 148V160` }, graph);
    });
    draw("path", { class: "curve", d: "M" + curve }, graph);
    draw("path", { class: "cursor", id: "cursor", d: "" }, graph);
    graph.addEventListener("click", (event) => {
      const box = graph.getBoundingClientRect();
      show(Math.round(((event.clientX - box.left) / box.width) * end));
    });
  }

  function listTurns() {
    turns.forEach((turn, index) => {
      const item = document.createElement("li");
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.append(label(index));
      if (turn.sign) {
        button.append(Object.assign(document.createElement("span"), { className: "sign", textContent: turn.sign }));
        button.title = turn.words;
      }
      if (index === report.decisive) button.className = "decisive";
      button.addEventListener("click", () => show(index));
      item.append(button);
      byId("turns").append(item);
    });
  }

  const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => end };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    show(keys[event.key]());
  });
  byId("first").addEventListener("click", () => show(0));
  byId("back").addEventListener("click", () => show(at - 1));
  byId("forward").addEventListener("click", () => show(at + 1));
  byId("last").addEventListener("click", () => show(end));
  byId("slider").max = end;
  byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  if (report.decisive !== null) {
    byId("decisive").hidden = false;
    byId("decisive").addEventListener("click", () => show(report.decisive));
  }
  drawGraph();
  listTurns();
  show(report.decisive ?? 0);
})();
