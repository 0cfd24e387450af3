/** Characters of a message that its toast shows (spec section 9). */
const PREVIEW = 50

export function cutPreview(message: string): string {
  const characters = Array.from(message)
  return characters.length <= PREVIEW ? message : `${characters.slice(0, PREVIEW).join('')}...`
}
