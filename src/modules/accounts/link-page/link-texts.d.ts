/** `link-texts.js` is imported as text. */
declare const text: string;
export default text;
