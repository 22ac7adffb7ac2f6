// Calls of the server. A new call of the same kind ends the one before, also on the server.

let token = sessionStorage.getItem("treaty-token") || "";
let askForToken = () => {};

export function onToken(ask) {
  askForToken = ask;
}

export function useToken(given) {
  token = given;
  sessionStorage.setItem("treaty-token", given);
}

export class Refusal extends Error {}

async function send(name, body, accept, signal) {
  const headers = { "content-type": "application/json", accept };
  if (token) headers.authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(`/api/${name}`, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server does not answer. Is it still running?");
  }
  if (answer.status === 401) {
    askForToken();
    throw new Refusal("The server asks for a token.");
  }
  if (answer.status === 503 || answer.status === 429) throw new Refusal("The server is busy. Try again in a moment.");
  if (!answer.ok) throw new Refusal(sentence((await answer.json()).error.message));
  return answer;
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

// Makes functions whose calls replace each other.
export function caller() {
  let running = null;
  function start() {
    running?.abort();
    running = new AbortController();
    return running.signal;
  }
  return {
    stop: () => running?.abort(),
    // The whole answer; undefined if another call came between.
    async ask(name, body) {
      const signal = start();
      try {
        return await (await send(name, body, "application/json", signal)).json();
      } catch (error) {
        if (error.name === "AbortError") return undefined;
        throw error;
      }
    },
    // Calls `see` with each line of the answer; returns false if the call was ended.
    async stream(name, body, see) {
      const signal = start();
      try {
        const answer = await send(name, body, "application/x-ndjson", signal);
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
          const { done, value } = await reader.read();
          const lines = (rest + (value || "")).split("\n");
          rest = done ? "" : lines.pop();
          for (const line of lines) {
            if (!line) continue;
            const record = JSON.parse(line);
            if (record.error) throw new Refusal(sentence(record.error.message));
            if (see(record) === false) {
              running.abort();
              return false;
            }
          }
          if (done) return true;
        }
      } catch (error) {
        if (error.name === "AbortError") return false;
        throw error;
      }
    },
  };
}
