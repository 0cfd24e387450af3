import { chatTime } from '../../chat/chat-time.ts'

/** When something was said, as a chat shows it: "Mar 5, 14:30". */
export function ChatTime({ at }: { at: string }) {
  return (
    <time dateTime={at} className="figures whitespace-nowrap text-soft text-xs">
      {chatTime(at)}
    </time>
  )
}
