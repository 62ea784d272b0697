/** The files of the reference page are imported as text. */
declare module "./docs/*" {
  const text: string;
  export default text;
}
