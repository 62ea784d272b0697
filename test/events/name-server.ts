/** A name server on loopback with given names. It does not respond to queries for other names. */
import { createSocket, type RemoteInfo } from "node:dgram";

interface Question {
  name: string;
  from: RemoteInfo;
  message: Buffer;
}

export interface NameServer {
  /** `address:port` */
  at: string;
  /** The names of all queries, repeated ones included. */
  asked: string[];
  /** Resolves when this number of different names has been queried. */
  whenAsked(names: number): Promise<void>;
  /** Responds to each open query with "this name does not exist". */
  deny(): void;
  close(): void;
}

const [A, AAAA] = [1, 28];

/** @param names addresses by name, IPv4 as 4 numbers and IPv6 as 16 */
export async function newNameServer(names: Record<string, readonly number[][]> = {}): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  const waiting: Question[] = [];
  let notify = () => {};
  const answer = ({ message, from }: Question, records: readonly Buffer[], code = 0) => {
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt16BE(0, 10); // no additional records
    socket.send(Buffer.concat([head, message.subarray(12, questionEnd(message)), ...records]), from.port, from.address);
  };
  socket.on("message", (message, from) => {
    const name = nameIn(message);
    const question = { name, from, message };
    asked.push(name);
    notify();
    const addresses = names[name];
    if (addresses === undefined) return waiting.push(question);
    const type = message.readUInt16BE(questionEnd(message) - 4);
    const matching = addresses.filter(({ length }) => (type === A && length === 4) || (type === AAAA && length === 16));
    return answer(
      question,
      matching.map((address) => record(type, address)),
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    at: `127.0.0.1:${socket.address().port}`,
    asked,
    whenAsked(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      notify = () => new Set(asked).size >= count && resolve();
      notify();
      return promise;
    },
    deny() {
      for (const question of waiting.splice(0)) answer(question, [], 3);
    },
    close: () => socket.close(),
  };
}

/** Returns the end of the only question: after its labels, a zero, the type and the class. */
function questionEnd(message: Buffer): number {
  let at = 12;
  while (message[at] !== 0) at += 1 + (message[at] ?? 0);
  return at + 5;
}

function nameIn(message: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; message[at] !== 0; at += 1 + (message[at] ?? 0))
    labels.push(message.toString("latin1", at + 1, at + 1 + (message[at] ?? 0)));
  return labels.join(".").toLowerCase();
}

/** A record of the question's name, valid for a minute. */
const record = (type: number, address: readonly number[]): Buffer =>
  Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]);
