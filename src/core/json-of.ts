/** A resource as the JSON text that SQLite made. Answers and the audit log take the text as it is. */
export class JsonOf<Value> {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The resource itself. */
  get value(): Value {
    return JSON.parse(this.text) as Value;
  }

  /** In place of this, JSON that is made of something around it shows the resource. */
  toJSON(): Value {
    return this.value;
  }
}
