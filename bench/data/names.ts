const words = (text: string): readonly string[] => text.split(' ')

export const firstNames = words(
  'Maria James Ana Robert Linda Michael Grace David Sofia Daniel Emma Carlos Olivia Ahmed Chloe Kevin Priya Thomas ' +
    'Laura Marcus Nina Brian Elena Samuel Ruth Victor Hannah Oscar Julia Peter Amara Diego Fiona Hugo Irene Jonas',
)
export const lastNames = words(
  'Lopez Smith Johnson Garcia Miller Davis Wilson Moore Taylor Anderson Jackson White Harris Martin Thompson Young ' +
    'Robinson Clark Lewis Lee Walker Hall Allen King Wright Scott Green Baker Adams Nelson Hill Campbell Mitchell ' +
    'Roberts Carter Phillips Evans Turner Torres Parker Collins Edwards Stewart Flores Morris Nguyen Murphy Rivera',
)
/** Reserved for examples (RFC 2606), so that no mail is delivered. */
export const mailHosts = ['example.com', 'example.org', 'example.net', 'mail.example']

export const notes = [
  'A birthday present',
  'Bought twice by mistake',
  'The balance is on the receipt',
  'From my company, never used',
]
export const questions = [
  'Could you send a photo of the receipt?',
  'Which shop activated the card?',
  'The PIN is covered on the photo, can you scratch it off?',
]
export const answers = ['Here it is', 'Yes, attached', 'It was bought in the US, receipt attached']

export const subjects = [
  'Where is my payment',
  'Rate for my card',
  'Wrong card number',
  'Photo upload',
  'Other',
]
export const customerMessages = [
  'Hello, I sent my card two hours ago. Is there any news?',
  'I typed the wrong PIN, can you correct it?',
  'Thank you, that was quick!',
  'How long does a bank transfer take?',
  'The status says approved, but nothing has arrived yet.',
  'Can I sell a card with a partial balance?',
]
export const staffMessages = [
  'Hello, thank you for writing. I am looking at it now.',
  'Your card was approved and the payment is on its way.',
  'Please send us a sharper photo of the back of the card.',
  'A bank transfer takes one to three business days.',
  'You are welcome. Have a nice day!',
]
