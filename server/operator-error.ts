/** Ends a program. Its message tells the operator what to do and stands alone. */
export class OperatorError extends Error {}
