import { type Move, moves, type Status, statusRules } from '#domain/submission.ts'
import { moveLabel } from './move-label.ts'

/** The table below makes the listeners, the hints on the buttons and the list behind `?`. */
interface Key {
  /** Values of `KeyboardEvent.key`, in upper or lower case. */
  readonly keys: readonly string[]
  /** The label of the key. */
  readonly cap: string
  readonly does: string
  readonly where: KeyPlace
}

/** The screen, or one of the three headings for the many keys of submissions. */
export type KeyPlace =
  | (typeof deskKeys)[number]
  | 'Photo viewer'
  | 'Tabs'
  | 'Chat'
  | 'Payouts'
  | 'Inventory'
  | 'Reviews'
  | 'Holds'

/** The headings for the keys of submissions. */
export const deskKeys = ['Decide', 'Move around', 'Look closer'] as const

type MoveAction = 'start' | 'approve' | 'reject' | 'fail' | 'ask' | 'offer' | 'goBack'

const byTarget: Readonly<Record<Status, MoveAction>> = {
  pending: 'goBack',
  under_review: 'ask',
  offered: 'offer',
  processing: 'start',
  completed: 'approve',
  rejected: 'reject',
  failed: 'fail',
  cancelled: 'goBack',
}

/** A move's key depends on its target status. All moves that undo a decision share one. */
export function actionOf({ from, to }: Pick<Move, 'from' | 'to'>): MoveAction {
  return statusRules[from].final ? 'goBack' : byTarget[to]
}

function labelsOf(action: MoveAction): string {
  const pressed = moves.filter((move) => move.by === 'staff' && actionOf(move) === action)
  return [...new Set(pressed.map(moveLabel))].join(' · ')
}

/** @param keys the cap in lower case if left out */
function key(where: KeyPlace, cap: string, does: string, ...keys: string[]): Key {
  return { where, cap, does, keys: keys.length > 0 ? keys : [cap.toLowerCase()] }
}

export const keyTable = {
  next: key('Move around', 'J', 'Next submission (also ↓)', 'j', 'ArrowDown'),
  previous: key('Move around', 'K', 'Previous submission (also ↑)', 'k', 'ArrowUp'),
  claimNext: key('Move around', 'N', 'Claim the next unclaimed submission'),
  nextInSale: key('Move around', '→', 'Next card of the sale', 'ArrowRight'),
  previousInSale: key('Move around', '←', 'Previous card of the sale', 'ArrowLeft'),
  scroll: key('Move around', 'Space', 'Scroll the submission (Shift: up)', ' '),
  search: key('Move around', '/', 'Search (Enter or Esc to leave)'),
  filterStatus: key('Move around', 'L', 'Filter by status'),
  help: key('Move around', '?', 'Show these keys'),
  start: key('Decide', 'S', labelsOf('start')),
  approve: key('Decide', 'A', labelsOf('approve')),
  reject: key('Decide', 'R', labelsOf('reject')),
  fail: key('Decide', 'F', labelsOf('fail')),
  ask: key('Decide', 'I', labelsOf('ask')),
  offer: key('Decide', 'O', labelsOf('offer')),
  goBack: key('Decide', 'U', labelsOf('goBack')),
  undo: key('Decide', 'Z', 'Undo the last decision, for 10 seconds'),
  decideSale: key('Decide', 'G', 'Decide on the whole sale (asks first)'),
  acknowledge: key('Decide', 'X', 'Acknowledge the blocking risk'),
  takeOver: key('Decide', 'T', 'Take over from a colleague'),
  reveal: key('Look closer', 'V', 'Reveal or hide the numbers'),
  copyNumber: key('Look closer', 'C', 'Copy the revealed card number'),
  checkBalance: key('Look closer', 'B', 'Check the balance'),
  photos: key('Look closer', 'P', 'Open the photos'),
  duplicates: key('Look closer', 'D', 'Go to the possible duplicates'),
  history: key('Look closer', 'H', 'Show or hide the history'),
  writeNote: key('Look closer', 'W', 'Write a note (Ctrl + Enter adds it)'),
  messageSeller: key('Look closer', 'M', 'Message the seller'),
  zoomIn: key('Photo viewer', '+', 'Zoom in', '+', '='),
  zoomOut: key('Photo viewer', '-', 'Zoom out'),
  fit: key('Photo viewer', '0', 'Fit the photo'),
  turn: key('Photo viewer', 'O', 'Rotate by 90°'),
  nextPhoto: key('Photo viewer', '→', 'Next photo', 'ArrowRight'),
  previousPhoto: key('Photo viewer', '←', 'Previous photo', 'ArrowLeft'),
  revealBesidePhoto: key('Photo viewer', 'V', 'Reveal or hide the numbers'),
  closePhotos: key('Photo viewer', 'Esc', 'Close', 'Escape'),
  tab1: key('Tabs', '1', 'Submissions'),
  tab2: key('Tabs', '2', 'Users'),
  tab3: key('Tabs', '3', 'Transactions'),
  tab4: key('Tabs', '4', 'Chat'),
  chatNext: key('Chat', 'J', 'Next conversation (also ↓)', 'j', 'ArrowDown'),
  chatPrevious: key('Chat', 'K', 'Previous conversation (also ↑)', 'k', 'ArrowUp'),
  chatWaiting: key('Chat', 'N', 'Open the conversation that waits longest'),
  chatReply: key('Chat', 'R', 'Write a reply (Esc to leave, Ctrl + Enter sends, closes and opens the next)'),
  chatSaved: key('Chat', 'S', 'Insert a saved reply (/ in an empty reply)'),
  chatUnread: key('Chat', 'U', 'Mark as unread and leave'),
  chatAssign: key('Chat', 'A', 'Assign to me · Unassign'),
  chatSnooze: key('Chat', 'Z', 'Snooze'),
  chatClose: key('Chat', 'C', 'Close · Reopen'),
  viewDue: key('Payouts', '1', 'Due'),
  viewBatches: key('Payouts', '2', 'Batches'),
  viewReturns: key('Payouts', '3', 'Returns'),
  viewAll: key('Payouts', '4', 'All payouts'),
  payoutNext: key('Payouts', 'J', 'Next payout or batch · Skip (also ↓)', 'j', 'ArrowDown'),
  payoutPrevious: key('Payouts', 'K', 'Previous payout or batch (also ↑)', 'k', 'ArrowUp'),
  closePayout: key('Payouts', 'Esc', 'Close the open payout', 'Escape'),
  payoutSelect: key('Payouts', 'X', 'Select or unselect the open payout (also Space)'),
  payoutSelectAll: key('Payouts', '*', 'Select all listed payouts · Select none'),
  createBatch: key('Payouts', 'B', 'Create a batch of the selected payouts'),
  freezeBatch: key('Payouts', 'F', 'Freeze the batch'),
  releaseBatch: key('Payouts', 'R', 'Release the batch (asks first)'),
  downloadBatch: key('Payouts', 'D', 'Download the file of the batch'),
  confirmBatch: key('Payouts', 'M', 'Mark the whole batch as paid (asks first)'),
  settleBatch: key('Payouts', 'S', 'Mark the batch as settled (asks first)'),
  startWorksheet: key('Payouts', 'W', 'Open the worksheet'),
  revealAccount: key('Payouts', 'V', 'Reveal or hide the account'),
  copyAccount: key('Payouts', 'C', 'Copy the revealed account'),
  copyRouting: key('Payouts', 'G', 'Copy the revealed routing number'),
  copyAmount: key('Payouts', 'A', 'Copy the amount'),
  copyName: key('Payouts', 'N', 'Copy the name'),
  markPaid: key('Payouts', 'P', 'Mark the open payout as paid (asks first)'),
  recordReturn: key('Payouts', 'T', 'Record that the open payout came back (asks first)'),
  allowAccount: key('Payouts', 'L', 'Allow the refused account of the open payout (asks first)'),
  voidPayout: key('Payouts', 'Y', 'Void the open payout (asks first)'),
  importResults: key('Payouts', 'I', 'Import a file of the bank or service'),
  enterReference: key(
    'Payouts',
    '↵',
    'Worksheet: enter the confirmation number, then record as paid',
    'Enter',
  ),
  stockNext: key('Inventory', '↓', 'Next card (Space selects it)', 'ArrowDown'),
  stockPrevious: key('Inventory', '↑', 'Previous card', 'ArrowUp'),
  stockSelectAll: key('Inventory', '*', 'Select all listed cards · Select none'),
  stockList: key('Inventory', 'L', 'List the selected cards'),
  stockSell: key('Inventory', 'S', 'Mark the selected cards as sold'),
  stockUse: key('Inventory', 'U', 'Mark the selected cards as used'),
  stockBad: key('Inventory', 'B', 'Mark the selected cards as bad'),
  stockBack: key('Inventory', 'K', 'Put the selected cards back in stock'),
  stockCodes: key('Inventory', 'E', 'Export the numbers of the selected cards'),
  reviewNext: key('Reviews', 'J', 'Next review (also ↓)', 'j', 'ArrowDown'),
  reviewPrevious: key('Reviews', 'K', 'Previous review (also ↑)', 'k', 'ArrowUp'),
  reviewApprove: key('Reviews', 'A', 'Approve the focused review, or else the first'),
  reviewHide: key('Reviews', 'H', 'Hide it (asks first)'),
  holdNext: key('Holds', 'J', 'Next hold (also ↓)', 'j', 'ArrowDown'),
  holdPrevious: key('Holds', 'K', 'Previous hold (also ↑)', 'k', 'ArrowUp'),
  holdLift: key('Holds', 'L', 'Lift the focused hold, or else the first (asks first)'),
} satisfies Record<string, Key>

export type Action = keyof typeof keyTable

/** WCAG 2.1.4: users must be able to turn off shortcuts on keys that type a character. */
export function isCharacter(key: string): boolean {
  return [...key].length === 1
}

export function keysOf(...places: KeyPlace[]): readonly Key[] {
  return Object.values(keyTable).filter(({ where }) => places.includes(where))
}

/** Whether the key acts on the open submission. */
export function isCardKey(key: string): boolean {
  return keysOf('Decide', 'Look closer').some(({ keys }) => keys.includes(key.toLowerCase()))
}
