// The upload page: drop files, see each stage, and mend a text where its errors are. Without scripts the form does the same in one go.

const form = document.querySelector("[data-upload]");
const words = JSON.parse(document.querySelector("[data-words]").textContent);
const drop = form.querySelector("[data-drop]");
const file = form.querySelector("#file");
const text = form.querySelector("#text");
const outcomes = form.querySelector("[data-outcomes]");
const stages = [...form.querySelectorAll("[data-stage]")];
const cursor = form.querySelector("[data-cursor]");

/** Where there are accounts, what shows that this page asks. */
const asked = form.elements.csrf_token ? { "X-CSRF-Token": form.elements.csrf_token.value } : {};

const say = (sentence, values) => Object.entries(values).reduce((made, [name, value]) => made.replace(`{${name}}`, value), sentence);

function make(tag, classes, ...children) {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** A message whose literal parts stand between backticks, with these set as code. */
const ticks = (words) => String(words).split("`").map((part, place) => (place % 2 ? make("code", "", part) : part));

/** Marks the stages: those before `at` are done, `at` itself is doing or stopped. */
function stage(at, state) {
  stages.forEach((item, number) => {
    item.className = number < at ? "done" : number === at ? state : "";
  });
}

/** Where a JSON pointer leads in a text, as an offset; null where the text is too broken to tell. */
function place(source, pointer) {
  const path = pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  let at = 0;
  const blank = () => { while (/\s/.test(source[at] ?? "")) at += 1; };
  const string = () => {
    const start = at;
    at += 1;
    while (at < source.length && source[at] !== '"') at += source[at] === "\\" ? 2 : 1;
    at += 1;
    try { return JSON.parse(source.slice(start, at)); } catch { return null; }
  };
  const skip = () => {
    blank();
    if (source[at] === '"') { string(); return; }
    if (source[at] !== "{" && source[at] !== "[") { while (at < source.length && !/[,\]}\s]/.test(source[at])) at += 1; return; }
    let depth = 0;
    while (at < source.length) {
      if (source[at] === '"') { string(); continue; }
      if ("{[".includes(source[at])) depth += 1;
      if ("}]".includes(source[at])) depth -= 1;
      at += 1;
      if (!depth) return;
    }
  };
  for (const part of path) {
    blank();
    const inside = source[at];
    if (inside !== "{" && inside !== "[") return null;
    at += 1;
    for (let number = 0; ; number += 1) {
      blank();
      if (at >= source.length || source[at] === "}" || source[at] === "]") return null;
      let name = String(number);
      if (inside === "{") {
        name = string();
        blank();
        at += 1;
      }
      blank();
      if (name === part) break;
      skip();
      blank();
      if (source[at] === ",") at += 1;
    }
  }
  blank();
  return at;
}

/** The span of the text that an error speaks of. */
function span(error) {
  const source = text.value;
  let start = null;
  if (error.line) {
    const lines = source.split("\n");
    start = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + Math.max(0, (error.column ?? 1) - 1);
  } else if (error.pointer !== null && error.pointer !== undefined) {
    start = place(source, error.pointer);
  }
  if (start === null) return null;
  const token = typeof error.token === "string" ? error.token : "";
  const here = token ? source.indexOf(token, start) : -1;
  if (here >= 0 && here < start + 400) return [here, here + token.length];
  return [start, Math.min(source.length, start + 1)];
}

function show(error) {
  const found = span(error);
  if (!found) return;
  text.focus();
  text.setSelectionRange(...found);
  const line = text.value.slice(0, found[0]).split("\n").length;
  const height = parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, (line - 4) * height);
  tell();
}

function tell() {
  const before = text.value.slice(0, text.selectionStart).split("\n");
  cursor.textContent = text.value ? say(words.cursor, { line: before.length, column: before.at(-1).length + 1 }) : "";
}

function fact(name, value, code) {
  if (value === null || value === undefined || value === "") return null;
  return make("div", "", make("dt", "", name), make("dd", "", ...(code ? [make("code", "", String(value))] : ticks(value))));
}

function errorItem(error, editable) {
  const where = error.line ? fact(words.line, `${error.line}, ${words.column} ${error.column}`) : fact(words.at, error.pointer === "" ? "/" : error.pointer, true);
  const head = make("div", "finding-head", make("p", "what", ...ticks(error.detail)));
  if (editable && span(error)) {
    const button = make("button", "button quiet", words.show);
    button.type = "button";
    button.addEventListener("click", () => show(error));
    head.append(button);
  }
  return make("li", "finding s-unlawful", head, make("dl", "", where, fact(words.found, error.token, true), fact(words.expected, error.expected), fact(words.meant, error.meant, true)));
}

function icon(id) {
  return document.querySelector("[data-icons]").content.querySelector(`.v-${id} svg`).cloneNode(true);
}

function outcome(each, editable) {
  if (each.errors.length) {
    const count = each.errors.length + each.more;
    const list = make("ul", "errors plain", ...each.errors.map((error) => errorItem(error, editable)));
    return make("div", "outcome", make("h3", "", `${each.name}: ${count === 1 ? words.one : say(words.many, { n: count })}`), make("p", "soft", words.nothing), list,
      each.more ? make("p", "soft", say(words.more, { n: each.more })) : "");
  }
  const link = make("a", "row-link", each.name);
  link.href = each.href;
  const told = make("div", "told", ...each.stages.map((stage) => make("span", "", make("strong", "", `${stage.name}: `), stage.text)));
  return make("div", "outcome", make("p", "row", link, make("span", `verdict v-${each.verdict.id}`, icon(each.verdict.id), each.verdict.word), each.new ? "" : make("span", "tag", words.known)), told);
}

const MANY = /\.(zip|gz|jsonl|ndjson)$/i;
const LARGE = 1_000_000;

/** A file of many records goes to the importer, which tells how far it has got. Whether something of it is here now. */
async function importFile(each) {
  const bar = make("progress", "");
  const line = make("p", "row", make("strong", "", each.name), bar);
  const told = make("div", "told", words.sending);
  const item = make("div", "outcome", line, told);
  outcomes.append(item);
  const refused = (text) => { bar.remove(); told.replaceChildren(text); };
  let job;
  try {
    const sent = await fetch(`/api/v1/imports?name=${encodeURIComponent(each.name)}`, { method: "POST", body: each, headers: { "Content-Type": "application/octet-stream", ...asked } });
    if (!sent.ok) { refused((await sent.json()).detail ?? `${sent.status}`); return false; }
    job = await sent.json();
    while (job.state === "queued" || job.state === "running") {
      if (job.progress !== null) bar.value = job.progress;
      told.replaceChildren(say(words.progress, { read: job.read, stored: job.stored, known: job.known, rejected: job.rejected }));
      await new Promise((done) => { setTimeout(done, 400); });
      job = await (await fetch(`/api/v1/imports/${job.id}`)).json();
    }
  } catch {
    refused(words.failed);
    return false;
  }
  bar.remove();
  told.replaceChildren(say(words.progress, { read: job.read, stored: job.stored, known: job.known, rejected: job.rejected }), job.reason ?? "");
  const list = make("a", "button", words.list);
  list.href = "/records";
  line.append(list);
  if (job.rejected) {
    const rejects = make("a", "", words.rejects);
    rejects.href = `${job.errors}.jsonl`;
    told.append(rejects);
    await showRejects(job, item);
  }
  item.scrollIntoView({ block: "nearest" });
  return job.stored + job.known > 0;
}

const FIRST_REJECTS = 5;

/** The first records that were rejected, each with its first error; the API tells errors in English. */
async function showRejects(job, item) {
  let rejected;
  try {
    rejected = (await (await fetch(`${job.errors}?limit=${FIRST_REJECTS}`)).json()).items;
  } catch {
    return;
  }
  const list = make("ul", "errors plain", ...rejected.map((each) => {
    const shown = errorItem(each.errors[0], false);
    shown.prepend(make("p", "small soft", each.position));
    return shown;
  }));
  list.lang = "en";
  item.append(list, job.rejected > rejected.length ? make("p", "soft", say(words.more, { n: job.rejected - rejected.length })) : "");
}

async function send(files, pasted) {
  const many = files.filter((each) => MANY.test(each.name) || each.size > LARGE);
  if (many.length) {
    outcomes.replaceChildren();
    stage(0, "doing");
    let came = true;
    for (const each of many) came = (await importFile(each)) && came;
    stage(came ? stages.length : 0, "stopped");
    const rest = files.filter((each) => !many.includes(each));
    if (rest.length || pasted.trim()) await sendOnes(rest, pasted);
    return;
  }
  outcomes.replaceChildren();
  await sendOnes(files, pasted);
}

async function sendOnes(files, pasted) {
  const body = new FormData();
  for (const each of files) body.append("file", each);
  if (pasted.trim()) body.append("text", pasted);
  const button = form.querySelector('[type="submit"]');
  button.setAttribute("aria-disabled", "true");
  stage(0, "doing");
  let answer;
  try {
    const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json", ...asked } });
    if (!response.headers.get("content-type")?.startsWith("application/json")) throw new Error(`${response.status}`);
    answer = await response.json();
  } catch {
    stage(0, "stopped");
    outcomes.append(make("p", "notice", words.failed));
    return;
  } finally {
    button.removeAttribute("aria-disabled");
  }
  const several = answer.outcomes.length === 1 && files.length === 1 && answer.outcomes[0].errors.some((error) => error.code === "several-records");
  if (several) {
    stage((await importFile(files[0])) ? stages.length : 0, "stopped");
    return;
  }
  const wrong = answer.outcomes.filter((each) => each.errors.length);
  stage(wrong.length ? 0 : stages.length, "stopped");
  if (answer.outcomes.length === 1 && !wrong.length && !outcomes.childElementCount) {
    location.assign(answer.outcomes[0].href);
    return;
  }
  // A file that cannot be read comes into the text field, to be mended in place.
  if (!pasted.trim() && files.length === 1 && wrong.length && files[0].size < LARGE) {
    text.value = (await files[0].text()).replaceAll("\r\n", "\n");
    text.rows = 22;
    file.value = "";
    pasted = text.value;
  }
  outcomes.append(...answer.outcomes.map((each) => outcome(each, answer.outcomes.length === 1 && Boolean(pasted.trim()))));
  const first = wrong.length && outcomes.querySelector(".errors button");
  if (first) first.focus();
  else outcomes.scrollIntoView({ block: "nearest" });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!file.files.length && !text.value.trim()) {
    outcomes.replaceChildren(make("p", "notice", words.missing));
    return;
  }
  send([...file.files], text.value);
});
for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) send([...event.dataTransfer.files], "");
});
for (const kind of ["keyup", "click", "input"]) text.addEventListener(kind, tell);
