/** A school can't be moved so. The message is for the operator. */
export class MoveRefused extends Error {
  override readonly name = "MoveRefused";
}

/** An export of the same school is being made. */
export class MoveBusy extends MoveRefused {}
