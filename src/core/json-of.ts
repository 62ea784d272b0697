/** A resource as the JSON text that SQLite built. Responses and the audit log contain the text unchanged. */
export class JsonOf<Value> {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The parsed resource. */
  get value(): Value {
    return JSON.parse(this.text) as Value;
  }

  /** Lets `JSON.stringify` show the resource. */
  toJSON(): Value {
    return this.value;
  }
}
