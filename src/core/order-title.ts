/** Returns the title of a work order without the word that the server puts before the defect that opened it. */
export const orderTitle = (title: string): string => title.replace(/^Defect: /, "");
