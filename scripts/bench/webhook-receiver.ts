/**
 * The receiver of the benchmarks, a process of its own. It says in each answer when the request's first byte was there,
 * and never answers at `/hang`.
 */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

const server = createServer({ key: process.env.RECEIVER_KEY, cert: process.env.RECEIVER_CERT }, (request, response) => {
  const arrived = performance.timeOrigin + performance.now();
  request.resume();
  if (request.url === "/hang") return;
  request.on("end", () => response.writeHead(204, { "x-arrived": String(arrived) }).end());
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
