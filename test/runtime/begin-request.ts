import { once } from "node:events";
import { connect } from "node:net";

/** Begins a POST and withholds the end of its body, so that the server can't respond yet. */
export async function beginRequest(url: string, path: string, fields: object) {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify(fields);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  const closed = once(socket, "close").then(() => answer);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  await new Promise((resolve) =>
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`, resolve),
  );
  // A later request on another connection has a response, so the server has received this one.
  await (await fetch(`${url}/health`)).text();
  return {
    finish: () => void socket.write(body.slice(20)),
    /** All that was received until the server closed the connection. */
    closed,
  };
}
