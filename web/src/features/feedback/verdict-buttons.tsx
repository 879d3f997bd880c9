import { IconButton } from '../../ui/button.tsx'
import { type JudgedItem, useVerdict } from './use-verdict.ts'

interface VerdictButtonsProps {
  readonly item: JudgedItem
  readonly helpfulLabel: string
  readonly unhelpfulLabel: string
}

/** Clicking again removes the feedback. */
export function VerdictButtons({ item, helpfulLabel, unhelpfulLabel }: VerdictButtonsProps) {
  const { verdict, give } = useVerdict(item)
  return (
    <>
      <IconButton
        icon="thumbUp"
        label={helpfulLabel}
        isSmall
        aria-pressed={verdict === 'helpful'}
        onClick={() => void give('helpful')}
      />
      <IconButton
        icon="thumbDown"
        label={unhelpfulLabel}
        isSmall
        aria-pressed={verdict === 'not-helpful'}
        onClick={() => void give('not-helpful')}
      />
    </>
  )
}
