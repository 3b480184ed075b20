-- Tickets are listed by state, and counted by it over a range: each state's are found together.
DROP INDEX ticket_by_time;
CREATE INDEX ticket_by_time ON ticket (updated_at);
CREATE INDEX ticket_by_state ON ticket (state, updated_at);
