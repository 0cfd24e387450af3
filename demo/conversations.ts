import type { SellerName, StaffName } from './people.ts'

/** A message, `minutes` after the previous one. */
type Message = readonly [minutes: number, by: StaffName | 'customer', text: string]

interface Conversation {
  readonly daysAgo: number
  readonly messages: readonly Message[]
}

export interface SellerConversation extends Conversation {
  readonly seller: SellerName
}

/** Starts with the contact form. */
export interface VisitorConversation extends Conversation {
  readonly visitor: { readonly firstName: string; readonly lastName: string; readonly subject: string }
}

export const conversations: readonly (SellerConversation | VisitorConversation)[] = [
  {
    daysAgo: 36.9,
    seller: 'priya',
    messages: [
      [
        0,
        'customer',
        'Hello! I answered your question about the Home Depot card. Is there anything else you need?',
      ],
      [12, 'maya', 'Hi Priya, no, the receipt is exactly what we needed. I am starting the payment now.'],
      [3, 'customer', 'Wonderful, thank you!'],
    ],
  },
  {
    daysAgo: 29.2,
    seller: 'lena',
    messages: [
      [0, 'customer', 'It says the payment failed. What can I do?'],
      [7, 'jonas', "Hi Lena, Cash App can't find the tag you gave us. Could you check the spelling?"],
      [220, 'customer', 'Oh no, there is a dash missing. It is $lena-hartmann.'],
      [5, 'jonas', 'Got it. I will move it back to processing and pay you again tomorrow morning.'],
      [2, 'customer', 'You are great, thanks.'],
    ],
  },
  {
    daysAgo: 15.5,
    visitor: { firstName: 'Helen', lastName: 'Marsh', subject: 'Cards from Canada' },
    messages: [
      [0, 'customer', 'Do you take gift cards that were bought in Canada? I have two of them.'],
      [26, 'maya', 'Hello Helen, I am sorry: we can only take cards issued in the United States.'],
      [4, 'customer', 'Too bad, but thanks for the quick answer.'],
    ],
  },
  {
    daysAgo: 6.4,
    visitor: { firstName: 'Sam', lastName: 'Whitfield', subject: 'How long does a bank transfer take?' },
    messages: [
      [0, 'customer', 'I would like to sell a card this week. When would the money be in my account?'],
      [
        41,
        'jonas',
        'Hi Sam, we pay on business days, usually within hours of the approval. A bank takes one business day more.',
      ],
    ],
  },
  {
    daysAgo: 2.1,
    seller: 'grace',
    messages: [
      [0, 'customer', 'The Uber card was rejected because the code is covered. May I send it again?'],
      [9, 'jonas', 'Yes, please. Scratch off the panel, take a new photo, and submit it as a new card.'],
      [4, 'customer', 'I will do that this weekend.'],
      [1, 'jonas', 'Perfect. We are here if you need us.'],
    ],
  },
  {
    daysAgo: 0.4,
    seller: 'nina',
    messages: [
      [
        0,
        'customer',
        'My payment failed because the name does not match the account. It is under my maiden name, can you use that?',
      ],
    ],
  },
  {
    daysAgo: 0.09,
    visitor: { firstName: 'Yusuf', lastName: 'Demir', subject: 'Rate for a large card' },
    messages: [
      [0, 'customer', 'Is the rate for a Home Depot card of $2,000 the same as for $100?'],
      [18, 'customer', 'And can I send the receipt together with the card?'],
    ],
  },
]

export const savedReplies = [
  {
    title: 'Bank transfer',
    text: 'We pay on business days, usually within hours of the approval. A bank takes one business day more.',
    spanishText:
      'Pagamos en días hábiles, normalmente en cuestión de horas tras la aprobación. El banco tarda un día hábil más.',
  },
  {
    title: 'Better photo',
    text: 'Could you retake the photo in daylight, without flash, with all four corners of the card showing?',
    spanishText:
      '¿Podría tomar la foto otra vez con luz de día, sin flash y de modo que se vean las cuatro esquinas de la tarjeta?',
  },
  {
    title: 'Payout name',
    text: 'The name on the payout account has to match your submission. Which one should we use?',
    spanishText: 'El nombre de la cuenta de pago debe coincidir con el de su envío. ¿Cuál debemos usar?',
  },
  {
    title: 'Thank you',
    text: 'You are welcome. Have a nice day!',
    spanishText: 'Con mucho gusto. ¡Que tenga un buen día!',
  },
] as const
