-- Records that were acknowledged and whose rows are not in the other tables yet (service/arrivals.py): empty whenever somebody looks.

CREATE TABLE arrivals (
    id BLOB NOT NULL,                           -- SHA-256 of the normalised form
    account VARCHAR,                            -- who sent it, where an account says so
    sent_at TIMESTAMP NOT NULL,                 -- UTC
    raw BLOB NOT NULL                           -- as sent
);
