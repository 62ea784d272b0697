/** Returns the groups in which people read out a long number, such as an IBAN: `DE89`, `3704`, and so on. */
export const groupsOfFour = (text: string): string[] => text.match(/.{1,4}/gu) ?? [];
