// One game, one place to write it: other tabs and windows of this browser are told.

const channel = "BroadcastChannel" in self ? new BroadcastChannel("hanafu-recorder") : null;
const me = Math.random().toString(36).slice(2);
let mine = null;
let told = () => {};

/** Says which game is open here. `tell("elsewhere")`: it is open in another place too; `tell("taken")`: that one writes it from now on. */
export function open(id, tell) {
  mine = id;
  told = tell;
  channel?.postMessage({ kind: "open", id, from: me });
}

/** Writes here from now on. */
export const take = () => channel?.postMessage({ kind: "take", id: mine, from: me });

channel?.addEventListener("message", ({ data }) => {
  if (data.id !== mine || mine === null || data.from === me || (data.to && data.to !== me)) return;
  if (data.kind === "open") channel.postMessage({ kind: "held", id: mine, from: me, to: data.from });
  if (data.kind === "held") told("elsewhere");
  if (data.kind === "take") told("taken");
});
