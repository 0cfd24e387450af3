export const ADMIN_PASSWORD = 'long live the reviewer'
export const SELLER_PASSWORD = 'a quite good password'

/** Without these, every staff screen warns that they are missing. */
export const CONTACTS = {
  MAIL_FROM: 'no-reply@shop.example',
  MAIL_REPLY_TO: 'help@shop.example',
  SUPPORT_EMAIL: 'help@shop.example',
  SUPPORT_PHONE: '(212) 555-0100',
}

let people = 0

/** The registration of a new seller. */
export function newSeller() {
  people += 1
  const username = `sally${process.pid}x${people}`
  return {
    firstName: 'Sally',
    lastName: 'Seller',
    username,
    email: `${username}@example.com`,
    password: SELLER_PASSWORD,
  }
}
export type NewSeller = ReturnType<typeof newSeller>
