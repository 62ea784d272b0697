/**
 * Returns a stream that reads a piece when the client has taken the last one, and ends the pieces when the client leaves.
 *
 * @param during called before each piece is made; the result is disposed of once it is
 */
export const streamOf = <Piece extends Uint8Array>(
  pieces: AsyncGenerator<Piece>,
  during: () => Disposable | undefined = () => undefined,
): ReadableStream<Piece> =>
  new ReadableStream<Piece>(
    {
      async pull(controller) {
        using _ = during();
        const { value, done } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
