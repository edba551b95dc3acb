/** Answers in a thread of its own: the page stays responsive. */
import { answer, type Question } from './answer.ts';

/** `number` counts requests: only the answer to the latest one is shown. */
export interface Request {
  readonly number: number;
  readonly question: Question;
}

addEventListener('message', ({ data: { number, question } }: MessageEvent<Request>) => {
  postMessage({ number, answer: answer(question) });
});
