/** "Amazon card", but "Visa Gift Card": what a card of this brand is called. */
export function cardName(brandName: string): string {
  return / card$/i.test(brandName) ? brandName : `${brandName} card`
}
