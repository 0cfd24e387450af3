/** The compiled texts of a bundle (web/app/build/words.ts). */
declare module 'virtual:words/*' {
  const messages: import('#words/translate.ts').Messages
  export default messages
}
