cimport cython
from ...engine cimport bitset, encode
from ...engine.bitset cimport Word
from ...engine.core cimport Seeded, State, View, steep
from ...engine.beliefs cimport Cloud, Lots

cdef int MASQ_5, MASQ_6, MASQ_7, MASQ_8, MASQ_9, MASQ_10, MASQ_11, MASQ_12, MASQ_13, MASQ_15, MASQ_16, MASQ_17, MASQ_18
cdef int DIVIDE, DEAL, FIRST, HAND, PLAY, GIVE, DECLINE, DRAW, RETURN, SKIP, TAKE, SCORE, GAME
cdef int DIVIDING, DEALING, LEADING, PLAYING, EXCHANGING, RETURNING, CHANGING, DRAWING
cdef int CLIMB, SUIT, STRICT
cdef int STEP_GIVE, STEP_DECLINE, STEP_RETURN, GOAL, NONE, TRICK, HELD
cdef Word MASQUERADERS, TOO_HIGH_TO_LEAD, M1, ALL


@cython.final
cdef class Masquerade(State):
    cdef int games, following, stage, dealer, leader, actor, taker, drawer, last, plays, turns, game, last_winner
    cdef bint last_seat, courtesy, unmasked
    cdef Word trick, ready, gift
    cdef Word[8] hands
    cdef int[8] points, totals, won, laid

    cdef int left(self, int seat) noexcept nogil
    @cython.locals(suit=Word, climbing=Word, masks=Word, following=Word)
    cdef Word playable(self, Word hand) noexcept nogil
    cdef void deal(self) noexcept nogil
    @cython.locals(at=int)
    cdef void divided(self) noexcept nogil
    @cython.locals(at=int, seat=int)
    cdef void dealt(self) noexcept nogil
    cdef void lead(self, int seat) noexcept nogil
    cdef void turn(self, int seat) noexcept nogil
    cdef void pass_on(self) noexcept nogil
    @cython.locals(suit=Word, climbs=Word)
    cdef int asked(self, int card) noexcept nogil
    cdef void lay(self, int card) noexcept nogil
    cdef void hand_over(self, int card) noexcept nogil
    cdef void exchange(self, int card) noexcept nogil
    cdef void end_trick(self) noexcept nogil
    @cython.locals(top=Word)
    cdef bint last_card_takes(self) noexcept nogil
    cdef void draw_back(self, int seat) noexcept nogil
    cdef void drawn_back(self) noexcept nogil
    cdef bint score(self, int seat, int points, int clause) noexcept nogil
    cdef void end_game(self, int seat) noexcept nogil
    @cython.locals(behind=double, most=int, other=int, shares=double, mine=double)
    cdef double share(self, int seat, int winner) noexcept nogil


@cython.final
cdef class MasqueradeView(View):
    cdef Masquerade world
    cdef Lots lots
    cdef Cloud cloud
    cdef int dealer, leader, game, stage, actor, last, plays, turns, next_points
    cdef bint unmasked
    cdef Word hand, gift, trick
    cdef int[8] points, totals, won, laid, sizes
    cdef int[32] holders
    cdef Word heard_trick, heard_led
    cdef int following, last_winner, heard_last, drawer, drawn_from
    cdef int[8] heard_laid
    cdef bint clouded, courtesy

    cdef void lacks(self, int seat, Word cards) noexcept nogil
    @cython.locals(climbing=Word)
    cdef void hear_play(self, int seat, int card) noexcept nogil
    @cython.locals(card=int)
    cdef void forget(self) noexcept nogil
    cdef void moved(self, int card, int origin, int to) noexcept nogil
    cdef void pass_one(self, int card, int origin, int to) noexcept nogil
    @cython.locals(card=int, known=Word)
    cdef void settle_draw(self, bint own) noexcept nogil
    @cython.locals(seat=int, rest=Word)
    cdef bint believed(self) noexcept nogil
    @cython.locals(seat=int)
    cdef bint imagine_hands(self, Seeded luck, int attempt) noexcept nogil
    cdef int least(self, Word cards) noexcept nogil
    @cython.locals(worth=int, top=Word)
    cdef int worth(self, int card) noexcept nogil
