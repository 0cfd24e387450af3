import { type Move, moves, type Status, statusRules } from '#domain/submission.ts'
import { moveLabel } from '../submissions/moves/move-label.ts'

/** The table below makes the listeners, the hints on the buttons and the list behind `?`. */
interface Key {
  /** Values of `KeyboardEvent.key`, in upper or lower case. */
  readonly keys: readonly string[]
  /** The label of the key. */
  readonly cap: string
  readonly does: string
  readonly where: 'Submissions' | 'Photo viewer' | 'Tabs' | 'Chat' | 'Payouts' | 'Inventory'
  /** Of the many keys of submissions: the heading in the list. */
  readonly group?: 'Decide' | 'Move around' | 'Look closer'
}

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

const submissionKey =
  (group: NonNullable<Key['group']>) =>
  (cap: string, does: string, ...keys: string[]): Key => ({
    keys: keys.length > 0 ? keys : [cap.toLowerCase()],
    cap,
    does,
    where: 'Submissions',
    group,
  })
const decisionKey = submissionKey('Decide')
const moveKey = submissionKey('Move around')
const lookKey = submissionKey('Look closer')

const photoKey = (cap: string, does: string, ...keys: string[]): Key => ({
  keys: keys.length > 0 ? keys : [cap.toLowerCase()],
  cap,
  does,
  where: 'Photo viewer',
})

const chatKey = (cap: string, does: string, ...more: string[]): Key => ({
  keys: [cap.toLowerCase(), ...more],
  cap,
  does,
  where: 'Chat',
})

const payoutKey = (cap: string, does: string, ...keys: string[]): Key => ({
  keys: keys.length > 0 ? keys : [cap.toLowerCase()],
  cap,
  does,
  where: 'Payouts',
})

const stockKey = (cap: string, does: string, ...keys: string[]): Key => ({
  keys: keys.length > 0 ? keys : [cap.toLowerCase()],
  cap,
  does,
  where: 'Inventory',
})

const tabKey = (cap: string, does: string): Key => ({ keys: [cap], cap, does, where: 'Tabs' })

export const keyTable = {
  next: moveKey('J', 'Next submission (also ↓)', 'j', 'ArrowDown'),
  previous: moveKey('K', 'Previous submission (also ↑)', 'k', 'ArrowUp'),
  claimNext: moveKey('N', 'Claim the next one that nobody has'),
  nextInSale: moveKey('→', 'Next card of the sale', 'ArrowRight'),
  previousInSale: moveKey('←', 'Previous card of the sale', 'ArrowLeft'),
  scroll: moveKey('Space', 'Scroll the submission (Shift: up)', ' '),
  search: moveKey('/', 'Search (Enter or Esc to leave)'),
  filterStatus: moveKey('L', 'Filter by status'),
  help: moveKey('?', 'Show these keys'),
  start: decisionKey('S', labelsOf('start')),
  approve: decisionKey('A', labelsOf('approve')),
  reject: decisionKey('R', labelsOf('reject')),
  fail: decisionKey('F', labelsOf('fail')),
  ask: decisionKey('I', labelsOf('ask')),
  offer: decisionKey('O', labelsOf('offer')),
  goBack: decisionKey('U', labelsOf('goBack')),
  undo: decisionKey('Z', 'Undo the last decision, for 10 seconds'),
  acknowledge: decisionKey('X', 'Acknowledge the blocking risk'),
  takeOver: decisionKey('T', 'Take over from a colleague'),
  reveal: lookKey('V', 'Reveal or hide the numbers'),
  copyNumber: lookKey('C', 'Copy the revealed card number'),
  checkBalance: lookKey('B', 'Check the balance'),
  photos: lookKey('P', 'Open the photos'),
  duplicates: lookKey('D', 'Go to the possible duplicates'),
  history: lookKey('H', 'Show or hide the history'),
  writeNote: lookKey('W', 'Write a note (Ctrl + Enter adds it)'),
  messageSeller: lookKey('M', 'Message the seller'),
  zoomIn: photoKey('+', 'Zoom in', '+', '='),
  zoomOut: photoKey('-', 'Zoom out'),
  fit: photoKey('0', 'Fit the photo'),
  turn: photoKey('O', 'Rotate by 90°'),
  nextPhoto: photoKey('→', 'Next photo', 'ArrowRight'),
  previousPhoto: photoKey('←', 'Previous photo', 'ArrowLeft'),
  revealBesidePhoto: photoKey('V', 'Reveal or hide the numbers'),
  closePhotos: photoKey('Esc', 'Close', 'Escape'),
  tab1: tabKey('1', 'Submissions'),
  tab2: tabKey('2', 'Users'),
  tab3: tabKey('3', 'Transactions'),
  tab4: tabKey('4', 'Chat'),
  chatNext: chatKey('J', 'Next conversation (also ↓)', 'ArrowDown'),
  chatPrevious: chatKey('K', 'Previous conversation (also ↑)', 'ArrowUp'),
  chatOldest: chatKey('N', 'Open the oldest unread conversation'),
  chatReply: chatKey('R', 'Write a reply (Esc to leave, Ctrl + Enter sends and closes)'),
  chatSaved: chatKey('S', 'Insert a saved reply (/ in an empty reply)'),
  chatUnread: chatKey('U', 'Mark as unread and leave'),
  chatAssign: chatKey('A', 'Assign to me · Unassign'),
  chatSnooze: chatKey('Z', 'Snooze'),
  chatClose: chatKey('C', 'Close · Reopen'),
  viewDue: payoutKey('1', 'Due'),
  viewBatches: payoutKey('2', 'Batches'),
  viewReturns: payoutKey('3', 'Returns'),
  viewAll: payoutKey('4', 'All payouts'),
  payoutNext: payoutKey('J', 'Next payout or batch · Skip (also ↓)', 'j', 'ArrowDown'),
  payoutPrevious: payoutKey('K', 'Previous payout or batch (also ↑)', 'k', 'ArrowUp'),
  payoutSelect: payoutKey('X', 'Select or unselect the open payout (also Space)'),
  payoutSelectAll: payoutKey('*', 'Select all listed payouts · Select none'),
  createBatch: payoutKey('B', 'Create a batch of the selected payouts'),
  freezeBatch: payoutKey('F', 'Freeze the batch'),
  releaseBatch: payoutKey('R', 'Release the batch (asks first)'),
  downloadBatch: payoutKey('D', 'Download the file of the batch'),
  confirmBatch: payoutKey('M', 'Mark the whole batch as paid (asks first)'),
  settleBatch: payoutKey('S', 'Mark the batch as settled (asks first)'),
  startWorksheet: payoutKey('W', 'Open the worksheet'),
  revealAccount: payoutKey('V', 'Reveal or hide the account'),
  copyAccount: payoutKey('C', 'Copy the revealed account'),
  copyRouting: payoutKey('G', 'Copy the revealed routing number'),
  copyAmount: payoutKey('A', 'Copy the amount'),
  copyName: payoutKey('N', 'Copy the name'),
  markPaid: payoutKey('P', 'Mark the open payout as paid (asks first)'),
  recordReturn: payoutKey('T', 'Record that the open payout came back (asks first)'),
  importResults: payoutKey('I', 'Import a file of the bank or service'),
  enterReference: payoutKey('↵', 'Worksheet: enter the confirmation number, then record as paid', 'Enter'),
  stockNext: stockKey('↓', 'Next card (Space selects it)', 'ArrowDown'),
  stockPrevious: stockKey('↑', 'Previous card', 'ArrowUp'),
  stockSelectAll: stockKey('*', 'Select all listed cards · Select none'),
  stockList: stockKey('L', 'List the selected cards'),
  stockSell: stockKey('S', 'Mark the selected cards as sold'),
  stockUse: stockKey('U', 'Mark the selected cards as used'),
  stockBad: stockKey('B', 'Mark the selected cards as bad'),
  stockBack: stockKey('K', 'Put the selected cards back in stock'),
  stockCodes: stockKey('E', 'Export the numbers of the selected cards'),
} satisfies Record<string, Key>

export type Action = keyof typeof keyTable

/** WCAG 2.1.4: users must be able to turn off shortcuts on keys that type a character. */
export function isCharacter(key: string): boolean {
  return [...key].length === 1
}

export function keysOf(where: Key['where']): readonly Key[] {
  return Object.values(keyTable).filter((key) => key.where === where)
}
