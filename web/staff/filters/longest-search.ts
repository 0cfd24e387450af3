/** Characters of the longest text that the server searches for. */
export const LONGEST_SEARCH = 200
