/** Keeps a masked number like "•••• 6789" on one line. */
export const onOneLine = (text: string): string => text.replaceAll('•••• ', '••••\u00a0')
