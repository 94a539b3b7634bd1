import { answerJobs } from '../jobs/answer-jobs.ts';
import { jobs } from './jobs.ts';

answerJobs(jobs);
