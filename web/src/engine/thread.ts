// The script of a worker with an engine, so that the page itself never waits for an answer.
import { serve } from '@renyi/engine/worker';

serve(self);
