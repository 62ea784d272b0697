/** A name server on loopback, to be told what to answer; it keeps silent about names that it was told nothing of. */
import { createSocket, type RemoteInfo } from "node:dgram";

interface Question {
  name: string;
  from: RemoteInfo;
  message: Buffer;
}

export interface NameServer {
  /** `address:port` */
  at: string;
  /** Every name asked for, as often as it was. */
  asked: string[];
  /** Ends when so many different names have been asked for. */
  whenAsked(names: number): Promise<void>;
  /** Says to all who were kept waiting that there is no such name. */
  deny(): void;
  close(): void;
}

const [A, AAAA] = [1, 28];

/** @param names their addresses, IPv4 as four numbers and IPv6 as sixteen */
export async function newNameServer(names: Record<string, readonly number[][]> = {}): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  const waiting: Question[] = [];
  let tell = () => {};
  const answer = ({ message, from }: Question, records: readonly Buffer[], code = 0) => {
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt16BE(0, 10); // no additional records, whatever the question had
    socket.send(Buffer.concat([head, message.subarray(12, questionEnd(message)), ...records]), from.port, from.address);
  };
  socket.on("message", (message, from) => {
    const name = nameIn(message);
    const question = { name, from, message };
    asked.push(name);
    tell();
    const addresses = names[name];
    if (addresses === undefined) return waiting.push(question);
    const type = message.readUInt16BE(questionEnd(message) - 4);
    const fitting = addresses.filter(({ length }) => (type === A && length === 4) || (type === AAAA && length === 16));
    return answer(
      question,
      fitting.map((address) => record(type, address)),
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    at: `127.0.0.1:${socket.address().port}`,
    asked,
    whenAsked(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      tell = () => new Set(asked).size >= count && resolve();
      tell();
      return promise;
    },
    deny() {
      for (const question of waiting.splice(0)) answer(question, [], 3);
    },
    close: () => socket.close(),
  };
}

/** Where the only question ends: after its labels, a zero, the type and the class. */
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

/** Of the name in the question; good for a minute. */
const record = (type: number, address: readonly number[]): Buffer =>
  Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]);
