/** Characters of a message that its toast shows (spec section 9). */
const MAX_LENGTH = 50

export function cutPreview(message: string): string {
  const characters = Array.from(message)
  return characters.length <= MAX_LENGTH ? message : `${characters.slice(0, MAX_LENGTH).join('')}...`
}
