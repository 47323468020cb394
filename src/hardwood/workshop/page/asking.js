// Questions to the server, and the line that says what went wrong.
const say = (text) => {
  document.getElementById("said").textContent = text;
};

const ask = async (name, given) => {
  const options = given
    ? {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(given),
      }
    : {};
  let answer;
  try {
    answer = await fetch(name, options);
  } catch {
    say(
      "The workshop does not answer: its server was stopped, or is busy. The draft is on disk after every step; start the command again to go on.",
    );
    return null;
  }
  let found;
  try {
    found = await answer.json();
  } catch {
    say("The workshop failed at this, and the draft is as it was; its terminal says more.");
    return null;
  }
  if (answer.ok) return found;
  if (found.state) renew(found.state);
  say(found.said ?? "The step was refused.");
  return null;
};

const button = (text, click, attributes = {}) =>
  make("button", { type: "button", click, ...attributes }, text);
