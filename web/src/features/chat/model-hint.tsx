import { Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useModels } from '../settings/use-models.ts'

/** Explains that without a model, answers are composed from memory. */
export function ModelHint() {
  const { value } = useModels()
  if (value === undefined || value.chat !== null) return null
  return (
    <p className="model-hint">
      <Icon name="info" size={15} />
      <span>
        No language model is connected, so answers are composed from memory.{' '}
        <Link to="/settings">Connect a model</Link>
      </span>
    </p>
  )
}
