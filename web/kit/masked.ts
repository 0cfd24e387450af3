/** Keeps a masked number together where a line breaks: "•••• 6789". */
export const unbroken = (text: string): string => text.replaceAll('•••• ', '••••\u00a0')
